"""The local dashboard: what the journal tells, in a browser. Needs the extra `fairlead[ui]`."""
