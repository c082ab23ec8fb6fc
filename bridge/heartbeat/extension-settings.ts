import type { HeartbeatExtension } from './heartbeat.ts'

/** `provider-foo` or `provider-foo=its-namespace`. */
const entry = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?:=([a-z0-9](?:[a-z0-9-]*[a-z0-9])?))?$/

/** Throws a TypeError that quotes what is none. */
export const parseExtensions = (entries: readonly string[]): readonly HeartbeatExtension[] =>
  entries.map(text => {
    const [, name, namespace] = entry.exec(text) ?? []
    if (name === undefined)
      throw new TypeError(`expected a name such as provider-foo, or provider-foo=namespace, not ${text}`)
    return { name, ...(namespace === undefined ? {} : { namespace }) }
  })

/** `spec.type` of the objects that an extension is for: by custom it is called `provider-<type>`. */
export const providerOf = (extension: string): string => extension.replace(/^provider-/, '')
