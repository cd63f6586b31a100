CREATE TABLE `artefacts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` text NOT NULL,
	`entry_sequence` integer NOT NULL,
	`entry_id` text NOT NULL,
	`server_key` text NOT NULL,
	`tool` text NOT NULL,
	`output` text NOT NULL,
	`path` text NOT NULL,
	`name` text NOT NULL,
	`sha256` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`taken_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `artefacts_run` ON `artefacts` (`run_id`,`id`);--> statement-breakpoint
CREATE INDEX `artefacts_entry` ON `artefacts` (`entry_sequence`);--> statement-breakpoint
CREATE INDEX `artefacts_sha256` ON `artefacts` (`sha256`);--> statement-breakpoint
CREATE TABLE `intakes` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`started_at` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `intakes_changed` ON `intakes` (`changed_at`);--> statement-breakpoint
CREATE TABLE `lookups` (
	`entry_sequence` integer PRIMARY KEY NOT NULL,
	`entry_id` text NOT NULL,
	`run_id` text NOT NULL,
	`server_key` text NOT NULL,
	`tool` text NOT NULL,
	`host` text NOT NULL,
	`this_machine` integer NOT NULL,
	`bytes` integer NOT NULL,
	`indicators` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lookups_run` ON `lookups` (`run_id`,`at`);--> statement-breakpoint
CREATE INDEX `lookups_host` ON `lookups` (`host`,`at`);--> statement-breakpoint
CREATE INDEX `lookups_at` ON `lookups` (`at`);--> statement-breakpoint
CREATE TABLE `run_degradations` (
	`run_id` text NOT NULL,
	`words` text NOT NULL,
	`entry_sequence` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`run_id`, `words`)
);
--> statement-breakpoint
CREATE TABLE `run_files` (
	`run_id` text NOT NULL,
	`sha256` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`given_at` integer NOT NULL,
	PRIMARY KEY(`run_id`, `sha256`)
);
--> statement-breakpoint
CREATE INDEX `run_files_kind` ON `run_files` (`run_id`,`kind`,`given_at`);--> statement-breakpoint
CREATE INDEX `run_files_sha256` ON `run_files` (`sha256`);--> statement-breakpoint
CREATE TABLE `sample_names` (
	`sha256` text NOT NULL,
	`name` text NOT NULL,
	`added_at` integer NOT NULL,
	`actor_name` text NOT NULL,
	PRIMARY KEY(`sha256`, `name`)
);
--> statement-breakpoint
CREATE INDEX `sample_names_name` ON `sample_names` (`name`);--> statement-breakpoint
CREATE TABLE `samples` (
	`sha256` text PRIMARY KEY NOT NULL,
	`size_bytes` integer NOT NULL,
	`kind` text NOT NULL,
	`added_at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`facts` text,
	`deleted_at` integer,
	`deleted_by` text
);
--> statement-breakpoint
CREATE INDEX `samples_added` ON `samples` (`deleted_at`,`added_at`);--> statement-breakpoint
CREATE TABLE `upload_entries` (
	`upload_id` text NOT NULL,
	`entry_sequence` integer NOT NULL,
	`entry_id` text NOT NULL,
	PRIMARY KEY(`upload_id`, `entry_sequence`)
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`run_id` text NOT NULL,
	`server_key` text NOT NULL,
	`host` text NOT NULL,
	`this_machine` integer NOT NULL,
	`sha256` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`origin` text,
	`size_bytes` integer NOT NULL,
	`bytes_sent` integer NOT NULL,
	`started_at` integer NOT NULL,
	`outcome` text NOT NULL,
	`words` text,
	`confirmed_by` text NOT NULL,
	`owner_process` integer NOT NULL,
	`owner_start_ticks` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `uploads_run` ON `uploads` (`run_id`,`started_at`);--> statement-breakpoint
CREATE INDEX `uploads_host` ON `uploads` (`host`,`started_at`);--> statement-breakpoint
CREATE INDEX `uploads_started` ON `uploads` (`started_at`);--> statement-breakpoint
CREATE INDEX `uploads_sha256` ON `uploads` (`sha256`);