"""The door as a server of its own, for clients that call an address. Needs uvicorn: `fairlead[ui]`."""
