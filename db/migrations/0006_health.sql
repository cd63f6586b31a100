CREATE TABLE `health_verdicts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`server_key` text NOT NULL,
	`at` integer NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`ok` integer,
	`latency_ms` integer,
	`code` text,
	`message` text,
	`remediation` text,
	`is_change` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `health_verdicts_at` ON `health_verdicts` (`at`,`server_key`,`ok`,`latency_ms`);--> statement-breakpoint
CREATE INDEX `health_verdicts_changes` ON `health_verdicts` (`server_key`,`id`) WHERE is_change = 1;--> statement-breakpoint
CREATE INDEX `health_verdicts_failures` ON `health_verdicts` (`server_key`,`id`) WHERE code IS NOT NULL;--> statement-breakpoint
CREATE INDEX `health_verdicts_asked` ON `health_verdicts` (`server_key`,`id`) WHERE ok IS NOT NULL;--> statement-breakpoint
CREATE TABLE `inbox_reads` (
	`person` text NOT NULL,
	`change_id` integer NOT NULL,
	`read_at` integer NOT NULL,
	PRIMARY KEY(`person`, `change_id`)
);
--> statement-breakpoint
CREATE TABLE `state_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`server_key` text NOT NULL,
	`at` integer NOT NULL,
	`from_state` text,
	`to_state` text NOT NULL,
	`code` text,
	`message` text,
	`remediation` text
);
--> statement-breakpoint
CREATE INDEX `state_changes_server` ON `state_changes` (`server_key`,`id`);--> statement-breakpoint
CREATE INDEX `state_changes_at` ON `state_changes` (`at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`change_id` integer,
	`ok` integer NOT NULL,
	`attempts` integer NOT NULL,
	`message` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_at` ON `webhook_deliveries` (`at`);