/**
 * The common part of an OperatingSystemConfig: files and units of machines as a script, user data in a Secret, and
 * additions for the node agent. An operating system adds the code around the parts of the script.
 */

export { checkedVersion } from './checked-version.ts'
export { operatingSystemConfigFlow } from './flow.ts'
export {
  type MemoryOneConfig,
  memoryOneConfig,
  memoryOneConfigSchema,
} from './memory-one/memory-one-config.ts'
export { memoryOneUserData } from './memory-one/memory-one-user-data.ts'
export type { NodeAdditions, OperatingSystem, ScriptParts } from './operating-system.ts'
export { operatingSystemConfigPermissions } from './permissions.ts'
export { containerdSetUp } from './script/containerd.ts'
export { once } from './script/once.ts'
export { operatingSystemConfigService } from './service.ts'
