-- What an entry is filtered by now stands with its words, so that a search with a filter is one look-up: the console
-- brings entries from before into the index in the background, from this sequence down.
INSERT INTO `ledger_texts` (`ledger_texts`) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO `settings` (`name`, `value`, `changed_at`)
SELECT 'ledger.unindexed', `newest`, 0 FROM (SELECT max(`sequence`) AS `newest` FROM `ledger_entries`) WHERE `newest` IS NOT NULL
ON CONFLICT (`name`) DO UPDATE SET `value` = excluded.`value`;
