"""Breaking the glass: a one-time code switches Fairlead off for a while, also where nobody else may."""
