import type { ChildRecord, ChildRecords } from './child-records';
import { endMarked } from './end';
import { findGroup, findStartTicks, listMarked, signalGroup } from './process-group';

/**
 * Ends what a crash left: children of the records whose owning process is gone. A group is ended only where its
 * leader started when the record says, or where one of its members carries the record's marker; a number alone
 * may belong to somebody else by now. Resolves with how many records had something left.
 */
export async function sweepLeftovers(children: ChildRecords): Promise<number> {
  const orphaned = children.list().filter((record) => findStartTicks(record.ownerProcess) !== record.ownerStartTicks);
  const swept = await Promise.all(orphaned.map((record) => endLeftover(record, children)));
  return swept.filter((hadSomething) => hadSomething).length;
}

async function endLeftover(record: ChildRecord, children: ChildRecords): Promise<boolean> {
  const marked = await listMarked(record.marker);
  const groups = await Promise.all(marked.map(findGroup));
  const leaderIsSame = record.startTicks !== '' && findStartTicks(record.processGroup) === record.startTicks;
  const isOurGroup = leaderIsSame || groups.includes(record.processGroup);
  if (isOurGroup) signalGroup(record.processGroup, 'SIGTERM');
  await endMarked(record.marker);
  if (isOurGroup) signalGroup(record.processGroup, 'SIGKILL');
  children.remove(record.marker);
  return isOurGroup || marked.length > 0;
}
