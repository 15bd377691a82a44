"""Players for other people's programs: chess engines, the Go Text Protocol, NBoard."""
