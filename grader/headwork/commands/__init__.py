"""The commands. Nothing but argument handling: everything else is imported when a command needs it."""
