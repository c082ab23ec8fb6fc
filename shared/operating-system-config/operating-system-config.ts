/**
 * The common part of an OperatingSystemConfig: files and units of machines as a script, user data in a Secret, and
 * additions for the node agent. An operating system adds the code around the parts of the script.
 */

// Checks a version for a command.
export { checkedVersion } from './checked-version.ts'
// The types of an operating system's code.
export { operatingSystemConfigFlow } from './flow.ts'
export { type MemoryOneConfig, memoryOneConfig } from './memory-one/memory-one-config.ts'
export { memoryOneUserData } from './memory-one/memory-one-user-data.ts'
export type { NodeAdditions, OperatingSystem } from './operating-system.ts'
export { operatingSystemConfigPermissions } from './permissions.ts'
// Script parts that several operating systems share.
export { containerdSetUp } from './script/containerd.ts'
export { once } from './script/once.ts'
export { operatingSystemConfigService } from './service.ts'
