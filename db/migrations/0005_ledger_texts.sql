-- What is searched of an entry, by its sequence: the index alone, since the texts stand in the events and the blobs.
CREATE VIRTUAL TABLE `ledger_texts` USING fts5(`arguments`, `result`, `error`, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2', prefix='2 3');
--> statement-breakpoint
-- Entries from before are indexed by the console in the background, from this sequence down.
INSERT INTO `settings` (`name`, `value`, `changed_at`)
SELECT 'ledger.unindexed', max(`sequence`), 0 FROM `ledger_entries` HAVING max(`sequence`) IS NOT NULL;
--> statement-breakpoint
INSERT OR IGNORE INTO `ledger_blobs` (`sha256`, `entry_sequence`)
SELECT `value`, `entry_sequence` FROM (
  SELECT json_extract(`event`, '$.opening.arguments.sha256') AS `value`, `entry_sequence` FROM `ledger_events` WHERE `type` = 'call.opened'
  UNION ALL SELECT json_extract(`event`, '$.argumentsSent.sha256'), `entry_sequence` FROM `ledger_events` WHERE `type` = 'call.sent'
  UNION ALL SELECT json_extract(`event`, '$.result.sha256'), `entry_sequence` FROM `ledger_events` WHERE `type` IN ('call.finished', 'call.answered_late')
) WHERE `value` IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER `ledger_events_no_delete`;
--> statement-breakpoint
-- Evidence goes only where a tombstone says that it went.
CREATE TRIGGER `ledger_events_no_delete` BEFORE DELETE ON `ledger_events`
WHEN NOT EXISTS (
  SELECT 1 FROM `ledger_tombstones`
  WHERE `run_id` = (SELECT `run_id` FROM `ledger_entries` WHERE `sequence` = OLD.`entry_sequence`)
    AND `last_sequence` >= OLD.`entry_sequence` AND `first_sequence` <= OLD.`entry_sequence`
)
BEGIN
  SELECT RAISE(ABORT, 'ledger_events is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_entries_no_delete` BEFORE DELETE ON `ledger_entries`
WHEN NOT EXISTS (
  SELECT 1 FROM `ledger_tombstones`
  WHERE `run_id` = OLD.`run_id` AND `last_sequence` >= OLD.`sequence` AND `first_sequence` <= OLD.`sequence`
)
BEGIN
  SELECT RAISE(ABORT, 'an entry is deleted with its tombstone alone');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_tombstones_no_update` BEFORE UPDATE ON `ledger_tombstones`
BEGIN
  SELECT RAISE(ABORT, 'ledger_tombstones is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER `ledger_tombstones_no_delete` BEFORE DELETE ON `ledger_tombstones`
BEGIN
  SELECT RAISE(ABORT, 'ledger_tombstones is append-only');
END;
