"""The process that loads and runs Python tools. Haft talks to it in JSON lines; only the standard library is used."""
