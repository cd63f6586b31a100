import type { AnalysedFile } from '../open-file';
import type { Identity } from '../identity';

const PE_MACHINES: Readonly<Record<number, string>> = {
  0x014c: 'x86',
  0x8664: 'x86-64',
  0x01c0: 'ARM',
  0x01c4: 'ARM',
  0xaa64: 'ARM64',
  0x0200: 'Itanium',
};

const PE_SUBSYSTEMS: Readonly<Record<number, string>> = {
  1: 'driver',
  2: 'with windows',
  3: 'console',
  10: 'EFI',
  11: 'EFI',
  12: 'EFI',
};

const ELF_MACHINES: Readonly<Record<number, string>> = {
  3: 'x86',
  8: 'MIPS',
  20: 'PowerPC',
  21: 'PowerPC 64',
  22: 'S/390',
  40: 'ARM',
  62: 'x86-64',
  183: 'ARM64',
  243: 'RISC-V',
  258: 'LoongArch',
};

const ELF_TYPES: Readonly<Record<number, string>> = {
  1: 'object file',
  2: 'executable',
  3: 'shared object or position-independent executable',
  4: 'core dump',
};

/** Windows, DOS and Linux programs, by their headers. */
export async function recogniseProgram(file: AnalysedFile, head: Buffer): Promise<Identity | undefined> {
  if (head.toString('latin1', 0, 2) === 'MZ') return recogniseWindows(file, head);
  if (head.toString('latin1', 0, 4) === '\x7fELF') return recogniseElf(head);
  return undefined;
}

async function recogniseWindows(file: AnalysedFile, head: Buffer): Promise<Identity | undefined> {
  // Two letters at the start of a text are no program.
  if (head.length < 64) return undefined;
  const at = head.readUInt32LE(0x3c);
  const header = await file.read(at, 96);
  if (header.length < 24 || header.toString('latin1', 0, 4) !== 'PE\0\0') {
    // A DOS program states how many bytes its last page uses (at most 512) and how many pages it has.
    if (head.readUInt16LE(2) > 512 || head.readUInt16LE(4) === 0) return undefined;
    return { kind: 'program', type: 'DOS program', mime: 'application/x-dosexec', extension: 'exe' };
  }
  const machine = PE_MACHINES[header.readUInt16LE(4)] ?? 'unknown machine';
  const isLibrary = (header.readUInt16LE(22) & 0x2000) !== 0;
  const subsystem = header.length >= 94 ? PE_SUBSYSTEMS[header.readUInt16LE(24 + 68)] : undefined;
  const details = [machine, subsystem].filter((detail) => detail !== undefined).join(', ');
  return {
    kind: 'program',
    type: `Windows ${isLibrary ? 'library' : 'program'} (PE, ${details})`,
    mime: 'application/vnd.microsoft.portable-executable',
    extension: isLibrary ? 'dll' : 'exe',
  };
}

function recogniseElf(head: Buffer): Identity | undefined {
  if (head.length < 20) return undefined;
  const isLittle = head[5] === 1;
  const read16 = (at: number) => (isLittle ? head.readUInt16LE(at) : head.readUInt16BE(at));
  const bits = head[4] === 2 ? '64-bit' : '32-bit';
  const type = ELF_TYPES[read16(16)] ?? 'file';
  const machine = ELF_MACHINES[read16(18)] ?? 'unknown machine';
  return { kind: 'program', type: `ELF ${type} (${machine}, ${bits})`, mime: 'application/x-elf', extension: 'elf' };
}
