/** What a program file was built for, read from its first bytes; null where that cannot be told (scripts). */
export interface ProgramKind {
  readonly system: 'linux' | 'darwin' | 'win32';
  /** In the words of `process.arch`; null for a processor that Node does not name. */
  readonly arch: string | null;
}

/** e_machine of the ELF header. */
const ELF_MACHINES: Readonly<Record<number, string>> = {
  3: 'ia32', 8: 'mips', 20: 'ppc', 21: 'ppc64', 22: 's390x', 40: 'arm', 62: 'x64', 183: 'arm64', 243: 'riscv64', 258: 'loong64',
};

/** @param head at least the first 20 bytes of the file */
export function findProgramKind(head: Uint8Array): ProgramKind | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.byteLength >= 20 && view.getUint32(0) === 0x7f454c46) {
    const littleEndian = view.getUint8(5) === 1;
    return { system: 'linux', arch: ELF_MACHINES[view.getUint16(18, littleEndian)] ?? null };
  }
  if (head.byteLength >= 4 && [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(view.getUint32(0))) {
    return { system: 'darwin', arch: null };
  }
  if (head.byteLength >= 2 && view.getUint16(0) === 0x4d5a) return { system: 'win32', arch: null };
  return null;
}

/** A sentence when a program of this kind cannot run on this machine, else null. */
export function decideForeign(kind: ProgramKind | null, here: { readonly platform: string; readonly arch: string }): string | null {
  if (kind === null) return null;
  if (kind.system !== here.platform) return `it is a ${kind.system} program, this machine runs ${here.platform}`;
  // A 64-bit x86 or ARM machine runs the 32-bit programs of its family.
  const runs = here.arch === 'x64' ? ['x64', 'ia32'] : here.arch === 'arm64' ? ['arm64', 'arm'] : [here.arch];
  if (kind.system !== 'linux' || (kind.arch !== null && runs.includes(kind.arch))) return null;
  return `it is for ${kind.arch ?? 'another'} processors, this machine has ${here.arch}`;
}
