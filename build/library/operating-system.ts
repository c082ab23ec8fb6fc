/** The exports for OperatingSystemConfigs; described in docs/library.md. */
export {
  checkedVersion,
  type NodeAdditions,
  type OperatingSystem,
  once,
  operatingSystemConfigFlow,
  operatingSystemConfigPermissions,
  type ScriptParts,
} from '../../shared/operating-system-config/operating-system-config.ts'
