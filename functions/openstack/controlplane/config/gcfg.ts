/**
 * Returns a value in quotes for gcfg, the format of OpenStack's cloud provider. gcfg knows four escapes
 * (gopkg.in/gcfg.v1, `read.go`) and refuses the whole file for any other.
 */
export const quoted = (value: string): string =>
  `"${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`

/** Returns the line of a variable, or nothing for an empty value. */
export const optionalLine = (name: string, value: string | undefined): readonly string[] =>
  value ? [`${name}=${quoted(value)}`] : []
