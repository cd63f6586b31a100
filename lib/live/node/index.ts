export { LiveBus, type LiveListener } from './bus';
export { openLiveStream, type LiveStreamOptions } from './stream';
