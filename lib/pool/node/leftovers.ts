import type { ChildRecords } from './child-records';

/** Ends children whose owning process is gone; resolves with how many groups were ended. */
export declare function sweepLeftovers(children: ChildRecords): Promise<number>;
