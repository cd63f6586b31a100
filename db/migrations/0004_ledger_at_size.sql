CREATE TABLE `ledger_blobs` (
	`sha256` text NOT NULL,
	`entry_sequence` integer NOT NULL,
	PRIMARY KEY(`sha256`, `entry_sequence`)
);
--> statement-breakpoint
CREATE INDEX `ledger_blobs_entry` ON `ledger_blobs` (`entry_sequence`);--> statement-breakpoint
CREATE TABLE `ledger_tombstones` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` text NOT NULL,
	`entry_count` integer NOT NULL,
	`first_sequence` integer NOT NULL,
	`last_sequence` integer NOT NULL,
	`deleted_at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ledger_tombstones_run` ON `ledger_tombstones` (`run_id`,`last_sequence`);--> statement-breakpoint
CREATE INDEX `ledger_tombstones_sequence` ON `ledger_tombstones` (`last_sequence`);--> statement-breakpoint
CREATE TABLE `ledger_views` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_name` text NOT NULL,
	`name` text NOT NULL,
	`search` text NOT NULL,
	`shared` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_views_name` ON `ledger_views` (`owner_name`,`name`);--> statement-breakpoint
CREATE INDEX `ledger_views_shared` ON `ledger_views` (`shared`);--> statement-breakpoint
CREATE TABLE `released_blobs` (
	`sha256` text PRIMARY KEY NOT NULL,
	`released_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `ledger_entries` ADD `duration_ms` integer GENERATED ALWAYS AS ((finished_at - requested_at)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `ledger_entries_code` ON `ledger_entries` (`error_code`,`sequence`);--> statement-breakpoint
CREATE INDEX `ledger_entries_duration` ON `ledger_entries` (`duration_ms`,`plumbing`,`sequence`);