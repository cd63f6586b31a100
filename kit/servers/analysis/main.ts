// First of all: from here on only the protocol reaches standard output.
import '@/kit/guard-stdout';

import { analysisServer } from './server';

await analysisServer().start();
