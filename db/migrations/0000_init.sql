CREATE TABLE `blobs` (
	`sha256` text PRIMARY KEY NOT NULL,
	`size_bytes` integer NOT NULL,
	`stored_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`call_id` text NOT NULL,
	`run_id` text NOT NULL,
	`number` integer NOT NULL,
	`step` text,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`server_key` text NOT NULL,
	`tool` text NOT NULL,
	`exposed_name` text,
	`plumbing` integer NOT NULL,
	`outcome` text NOT NULL,
	`error_code` text,
	`error_message` text,
	`result_bytes` integer,
	`requested_at` integer NOT NULL,
	`queued_at` integer,
	`sent_at` integer,
	`finished_at` integer,
	`attempts` integer NOT NULL,
	`owner_process` integer NOT NULL,
	`owner_start_ticks` text NOT NULL,
	`last_cursor` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_call` ON `ledger_entries` (`call_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_run` ON `ledger_entries` (`run_id`,`number`);--> statement-breakpoint
CREATE INDEX `ledger_entries_server` ON `ledger_entries` (`server_key`,`sequence`);--> statement-breakpoint
CREATE INDEX `ledger_entries_tool` ON `ledger_entries` (`tool`,`sequence`);--> statement-breakpoint
CREATE INDEX `ledger_entries_outcome` ON `ledger_entries` (`outcome`,`sequence`);--> statement-breakpoint
CREATE INDEX `ledger_entries_actor` ON `ledger_entries` (`actor_kind`,`sequence`);--> statement-breakpoint
CREATE INDEX `ledger_entries_requested` ON `ledger_entries` (`requested_at`);--> statement-breakpoint
CREATE INDEX `ledger_entries_cursor` ON `ledger_entries` (`last_cursor`);--> statement-breakpoint
CREATE TABLE `ledger_events` (
	`cursor` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`entry_sequence` integer NOT NULL,
	`type` text NOT NULL,
	`at` integer NOT NULL,
	`event` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ledger_events_entry` ON `ledger_events` (`entry_sequence`,`cursor`);--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`origin` text NOT NULL,
	`entry_count` integer DEFAULT 0 NOT NULL,
	`started_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `runs_origin_unique` ON `runs` (`origin`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`user_id` text NOT NULL,
	`access_token` text,
	`refresh_token` text,
	`id_token` text,
	`access_token_expires_at` integer,
	`refresh_token_expires_at` integer,
	`scope` text,
	`password` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `accounts_user` ON `accounts` (`user_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`impersonated_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_unique` ON `sessions` (`token`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer DEFAULT false NOT NULL,
	`image` text,
	`role` text DEFAULT 'viewer' NOT NULL,
	`banned` integer DEFAULT false,
	`ban_reason` text,
	`ban_expires` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer,
	`updated_at` integer
);
--> statement-breakpoint
CREATE TABLE `child_processes` (
	`marker` text PRIMARY KEY NOT NULL,
	`server_key` text NOT NULL,
	`process_group` integer NOT NULL,
	`start_ticks` text NOT NULL,
	`owner_process` integer NOT NULL,
	`owner_start_ticks` text NOT NULL,
	`started_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `connection_tests` (
	`id` text PRIMARY KEY NOT NULL,
	`server_key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`started_at` integer NOT NULL,
	`ok` integer NOT NULL,
	`latency_ms` integer,
	`result` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `connection_tests_server` ON `connection_tests` (`server_key`,`started_at`);--> statement-breakpoint
CREATE TABLE `era_verdicts` (
	`fingerprint` text PRIMARY KEY NOT NULL,
	`era` text NOT NULL,
	`decided_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `exposed_names` (
	`server_key` text NOT NULL,
	`tool` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`server_key`, `tool`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `exposed_names_name` ON `exposed_names` (`name`);--> statement-breakpoint
CREATE TABLE `guards` (
	`fingerprint` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `pins` (
	`server_key` text NOT NULL,
	`tool` text NOT NULL,
	`hash` text NOT NULL,
	`definition` text NOT NULL,
	`reviewed_at` integer NOT NULL,
	`reviewed_by` text NOT NULL,
	PRIMARY KEY(`server_key`, `tool`)
);
--> statement-breakpoint
CREATE TABLE `server_snapshots` (
	`server_key` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`snapshot` text NOT NULL,
	`read_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `servers` (
	`key` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL,
	`revision` integer NOT NULL,
	`bundled` integer DEFAULT false NOT NULL,
	`reviewed_at` integer,
	`created_at` integer NOT NULL,
	`saved_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_events` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_name` text NOT NULL,
	`type` text NOT NULL,
	`subject` text NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_events_subject` ON `audit_events` (`subject`,`sequence`);--> statement-breakpoint
CREATE TABLE `settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `vault_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`sealed` text NOT NULL,
	`changed_at` integer NOT NULL,
	`changed_by` text NOT NULL
);
