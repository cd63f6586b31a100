CREATE INDEX `ledger_entries_actor_name` ON `ledger_entries` (`actor_name`,`sequence`);--> statement-breakpoint
CREATE INDEX `ledger_entries_run_sequence` ON `ledger_entries` (`run_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `ledger_entries_view` ON `ledger_entries` (`plumbing`,`sequence`);