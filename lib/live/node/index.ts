export { LiveBus } from './bus';
export { openLiveStream } from './stream';
