"""Runs servers of OpenStack on SQLite, without a message broker, containers or a hypervisor."""
