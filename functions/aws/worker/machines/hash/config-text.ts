/**
 * Returns `providerConfig` as kube-apiserver sends it. Pools before Kubernetes 1.34 are hashed by this text
 * (docs/contract/workers-aws.md#text-of-a-providerconfig). Keys are sorted, there is no white space, and the five
 * characters that Go's encoder escapes are escaped. Fields of virtual resources are left out, since they do not roll
 * nodes.
 */
export const configText = (
  providerConfig: unknown,
  { nodeTemplate }: { readonly nodeTemplate?: { readonly virtualCapacity?: unknown } | null | undefined },
): string => {
  const text = goJson(providerConfig)
  const virtual = nodeTemplate?.virtualCapacity
  return virtual === undefined || virtual === null ? text : withoutVirtualCapacity(text)
}

/** Three replacements in sequence, as in the Go extension. They also match similar text elsewhere. */
const withoutVirtualCapacity = (text: string): string =>
  text
    .replaceAll(/"nodeTemplate"\s*:\s*\{\s*"virtualCapacity"\s*:\s*\{[^{}]*\}\s*\}\s*,?/g, '')
    .replaceAll(/,\s*"virtualCapacity"\s*:\s*\{[^{}]*\}/g, '')
    .replaceAll(/,\s*\}/g, '}')
    .trim()

/** JSON as Go writes a map: keys sorted by their bytes. */
const goJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      .map(([key, field]) => `${goText(key)}:${goJson(field)}`)
    return `{${fields.join(',')}}`
  }
  return typeof value === 'string' ? goText(value) : JSON.stringify(value)
}

const goText = (value: string): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
