/**
 * `providerConfig` as kube-apiserver sends it, which is what pools before Kubernetes 1.34 are hashed by
 * (docs/contract/workers-aws.md#text-of-a-providerconfig): keys sorted, no white space, and of texts the five characters
 * escaped that Go's encoder escapes. What only virtual resources say is left out, since it makes no node roll.
 */
export const configText = (
  providerConfig: unknown,
  { nodeTemplate }: { readonly nodeTemplate?: { readonly virtualCapacity?: unknown } | null | undefined },
): string => {
  const text = goJson(providerConfig)
  const virtual = nodeTemplate?.virtualCapacity
  return virtual === undefined || virtual === null ? text : withoutVirtualCapacity(text)
}

/** Three replacements, one after the other, as the Go extension makes them: also of what else looks like it. */
const withoutVirtualCapacity = (text: string): string =>
  text
    .replaceAll(/"nodeTemplate"\s*:\s*\{\s*"virtualCapacity"\s*:\s*\{[^{}]*\}\s*\}\s*,?/g, '')
    .replaceAll(/,\s*"virtualCapacity"\s*:\s*\{[^{}]*\}/g, '')
    .replaceAll(/,\s*\}/g, '}')
    .trim()

/** JSON as Go writes a map: keys by their bytes. */
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
