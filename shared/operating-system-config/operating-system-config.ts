/**
 * What an OperatingSystemConfig is with every operating system: the files and units of machines as a script, user data in a
 * Secret, and what is added for the node agent. An operating system says what stands around the parts of that script.
 */

// What stands in an order to a machine.
export { checkedVersion } from './checked-version.ts'
// What an operating system gives, and gets.
export { operatingSystemConfigFlow } from './flow.ts'
export { type MemoryOneConfig, memoryOneConfig } from './memory-one/memory-one-config.ts'
export { memoryOneUserData } from './memory-one/memory-one-user-data.ts'
export type { NodeAdditions, OperatingSystem, ScriptParts } from './operating-system.ts'
export { operatingSystemConfigPermissions } from './permissions.ts'
// Parts that several operating systems have in their scripts.
export { containerdSetUp } from './script/containerd.ts'
export { once } from './script/once.ts'
export { operatingSystemConfigService } from './service.ts'
