// Modes about the life of the process: starting, probing, dying, leaving descendants.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync, existsSync, readFileSync } from 'node:fs';
import { ECHO_OFFER, NO_ANSWER, rpcError, textResult, tool } from './protocol.mjs';
import { readMessages, serveStdio, writeErr, writeMessage, writeOut } from './stdio-wire.mjs';

const sleepForever = () => setInterval(() => undefined, 60_000);

/** A descendant that only waits; its marker is whatever environment it inherits. */
const SLEEPER = 'setInterval(() => undefined, 60000)';
/** One that also ignores being asked to end. */
const DEAF_SLEEPER = `process.on('SIGTERM', () => undefined); process.on('SIGHUP', () => undefined); ${SLEEPER}`;

/** Appends a line to the file that the variable names, where it is set. @param {string} variable @param {string} line */
export function note(variable, line) {
  const file = process.env[variable];
  if (file !== undefined) appendFileSync(file, `${line}\n`);
}

/** @param {string} script @param {boolean} detached in a process group (and session) of its own */
function startSleeper(script, detached) {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore', detached });
  child.unref();
  note('RAW_PIDS', String(child.pid));
}

/** A server that knows nothing of discovery. @param {number} code @param {string} message */
const refuseDiscovery = (code, message) => ({
  ...ECHO_OFFER,
  methods: { 'server/discover': () => rpcError(code, message) },
});

/** @type {Record<string, () => void>} */
export const LIFE_MODES = {
  /** Ends at once, with its reason on stderr. */
  exit3: () => {
    writeErr('FATAL: key missing\n');
    process.exit(3);
  },

  /** Ends with 7 after it has read the first message. */
  exitAfterRead: () =>
    readMessages(() => {
      writeErr('FATAL: cannot open the index\n');
      process.exit(7);
    }),

  /** Kills itself by a signal. */
  killedAtStart: () => {
    process.kill(process.pid, 'SIGKILL');
  },

  /** Reads everything, answers nothing. */
  silent: () => readMessages(() => undefined),

  /** Never reads its stdin, and stays. */
  noread: () => {
    process.stdin.pause();
    sleepForever();
  },

  /** Closes stdout, and stays. */
  closedStdout: () => {
    closeSync(1);
    readMessages(() => undefined);
  },

  /** Refuses the modern era's probe as an unknown method. */
  discoverReject: () => serveStdio(refuseDiscovery(-32_601, 'Method not found')),

  /** Refuses the probe as malformed. */
  discoverInvalid: () => serveStdio(refuseDiscovery(-32_602, 'Invalid params')),

  /** Says nothing to the probe. */
  discoverSilent: () => serveStdio({ ...ECHO_OFFER, methods: { 'server/discover': () => NO_ANSWER } }),

  /** Ends when the first message is not `initialize`; notes each start in RAW_STARTS. */
  exitOnProbe: () => {
    note('RAW_STARTS', String(process.pid));
    let initialized = false;
    serveStdio(ECHO_OFFER, {
      before: (message) => {
        if (message.method === 'initialize') initialized = true;
        if (!initialized) {
          writeErr(`expected initialize, got ${message.method}\n`);
          process.exit(1);
        }
      },
    });
  },

  /** A revision from a time before the protocol. */
  badVersion: () => serveStdio({ ...ECHO_OFFER, initialize: { protocolVersion: '1999-01-01' } }),

  /** Answers `initialize` with an error. */
  initializeError: () =>
    serveStdio({ ...ECHO_OFFER, methods: { initialize: () => rpcError(-32_603, 'licence expired') } }),

  /** Answers `initialize` after RAW_DELAY_MS (8000). */
  slowStart: () => {
    const delayMs = Number(process.env.RAW_DELAY_MS ?? 8000);
    setTimeout(() => serveStdio(ECHO_OFFER), delayMs);
  },

  /** Starts after RAW_DELAY_MS (0) and then speaks both eras. */
  bothEras: () => LIFE_MODES.modernOnly?.(),

  /** Starts after RAW_DELAY_MS (0) and then speaks the modern era alone. */
  modernOnly: () => {
    const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
    const offer = {
      ...ECHO_OFFER,
      methods: {
        ...(process.argv[2] !== 'bothEras' && { initialize: () => rpcError(-32_022, 'Unsupported protocol version', { supported: ['2026-07-28'], requested: 'older' }) }),
        'server/discover': () => ({ ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
        'tools/list': () => ({ ...complete, tools: ECHO_OFFER.tools }),
        'tools/call': () => ({ resultType: 'complete', ...textResult('modern') }),
      },
    };
    setTimeout(() => serveStdio(offer), Number(process.env.RAW_DELAY_MS ?? 0));
  },

  /** Answers `initialize`, never `tools/list`. */
  hangsOnList: () => serveStdio({ ...ECHO_OFFER, methods: { 'tools/list': () => NO_ANSWER } }),

  /** Dies while a call is in flight. */
  dies: () =>
    serveStdio({
      tools: [tool('die'), ...ECHO_OFFER.tools],
      callTool: (params, context) => {
        if (params.name !== 'die') return ECHO_OFFER.callTool(params, context);
        writeErr('FATAL: out of memory\n');
        process.exit(9);
      },
    }),

  /** Dies a moment after it has been set up, while nobody calls. */
  diesIdle: () =>
    serveStdio(ECHO_OFFER, {
      before: (message) => {
        if (message.method === 'tools/list') setTimeout(() => process.exit(4), 200);
      },
    }),

  /** Ignores the end of stdin and SIGTERM. */
  deaf: () => {
    process.on('SIGTERM', () => undefined);
    process.on('SIGHUP', () => undefined);
    sleepForever();
    note('RAW_PIDS', String(process.pid));
    serveStdio(ECHO_OFFER, { endWithStdin: false });
  },

  /** Starts grandchildren: one in its group, one deaf, one in a process group of its own; pids go to RAW_PIDS. */
  forks: () => {
    note('RAW_PIDS', String(process.pid));
    startSleeper(SLEEPER, false);
    startSleeper(DEAF_SLEEPER, false);
    startSleeper(DEAF_SLEEPER, true);
    serveStdio(ECHO_OFFER);
  },

  /** The same, and never answers: for tests that fail. */
  forksSilent: () => {
    note('RAW_PIDS', String(process.pid));
    startSleeper(SLEEPER, false);
    startSleeper(DEAF_SLEEPER, true);
    readMessages(() => undefined, { endWithStdin: false });
    sleepForever();
  },

  /** Shows the names of its environment and its working directory. */
  environment: () =>
    serveStdio({
      tools: [tool('environment')],
      callTool: () => textResult(JSON.stringify({ names: Object.keys(process.env).sort(), cwd: process.cwd() })),
    }),

  /** Answers the probe with an error and ends. */
  exitsAfterProbe: () => {
    note('RAW_STARTS', String(process.pid));
    let initialized = false;
    serveStdio(ECHO_OFFER, {
      before: (message) => {
        initialized ||= message.method === 'initialize';
      },
      write: (answer) => {
        writeMessage(answer);
        if (initialized) return;
        writeErr('cannot go on after an error\n');
        process.exit(6);
      },
    });
  },

  /** Refuses the probe, and ends in the middle of answering `initialize`. */
  exitsInInitialize: () =>
    serveStdio(refuseDiscovery(-32_601, 'Method not found'), {
      write: (answer, request) => {
        if (request.method !== 'initialize') return writeMessage(answer);
        writeOut(JSON.stringify(answer).slice(0, 60));
        writeErr('FATAL: disk full\n');
        process.exit(11);
      },
    }),

  /** Ends when the second page of its tools is asked for. */
  exitsOnPageTwo: () =>
    serveStdio({
      ...ECHO_OFFER,
      methods: {
        'tools/list': (params) => {
          if (params?.cursor === undefined) return { tools: ECHO_OFFER.tools, nextCursor: 'two' };
          writeErr('FATAL: page two is missing\n');
          process.exit(12);
        },
      },
    }),

  /** Ends with an error of its own when its stdin ends. */
  exitsOnClose: () => {
    process.stdin.on('end', () => {
      writeErr('FATAL: cannot save\n');
      process.exit(13);
    });
    serveStdio(ECHO_OFFER, { endWithStdin: false });
  },

  /** `stop` makes it read no more, `hang_up` close its stdin, `mute` its stdout; it stays. */
  stopsReading: () => {
    sleepForever();
    serveStdio({
      tools: [tool('stop'), tool('hang_up'), tool('mute'), ...ECHO_OFFER.tools],
      callTool: (params, context) => {
        if (params.name === 'stop') setTimeout(() => process.stdin.pause(), 50);
        if (params.name === 'hang_up') {
          setTimeout(() => {
            process.stdin.destroy();
            closeSync(0);
          }, 50);
        }
        if (params.name === 'mute') setTimeout(() => closeSync(1), 50);
        return ECHO_OFFER.callTool(params, context);
      },
    }, { endWithStdin: false });
  },

  /** Says 8 KiB on stderr about each message that it does not know before it refuses it. */
  complains: () =>
    serveStdio(refuseDiscovery(-32_602, 'Invalid params'), {
      before: (message) => {
        if (message.method === 'server/discover') writeErr(`${'warning: unknown method; '.repeat(330)}\n`);
      },
    }),

  /** Says something on stderr after each call. */
  stderrLater: () =>
    serveStdio(ECHO_OFFER, {
      write: (answer, request) => {
        writeMessage(answer);
        if (request.method === 'tools/call') writeErr('said later\n');
      },
    }),

  /** Notes in RAW_STARTS when it starts, and whether another that it names there still runs. */
  countsItself: () => {
    const others = readLines('RAW_STARTS').map(Number).filter(isRunning);
    note('RAW_STARTS', String(process.pid));
    if (others.length > 0) note('RAW_OVERLAPS', `${process.pid} beside ${others.join(' ')}`);
    LIFE_MODES[process.env.RAW_AS ?? 'exitOnProbe']?.();
  },
};

/** @param {string} variable @returns {string[]} */
function readLines(variable) {
  const file = process.env[variable];
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
