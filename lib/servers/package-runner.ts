export declare function isPackageRunner(command: string, args: readonly string[]): boolean;
