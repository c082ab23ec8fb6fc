import type { HeartbeatExtension } from '../observers/heartbeat/heartbeat.ts'

/** `trellis-foo`, `provider-foo/foo+foo-dns`, `provider-foo=its-namespace` or `provider-foo/foo=its-namespace`. */
export const extensionEntry =
  /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?:\/([^/+=,\s]+(?:\+[^/+=,\s]+)*))?(?:=([a-z0-9](?:[a-z0-9-]*[a-z0-9])?))?$/

/** Throws a TypeError that quotes the first entry with a syntax error. */
export const parseExtensions = (entries: readonly string[]): readonly HeartbeatExtension[] =>
  entries.map(text => {
    const [, name, types, namespace] = extensionEntry.exec(text) ?? []
    if (name === undefined)
      throw new TypeError(`expected name, name/type+type or name/type+type=namespace, found ${text}`)
    return {
      name,
      ...(types === undefined ? {} : { types: types.split('+') }),
      ...(namespace === undefined ? {} : { namespace }),
    }
  })

/** Formats the text that `parseExtensions` reads. */
export const formatExtension = ({ name, types, namespace }: HeartbeatExtension): string =>
  `${name}${types === undefined ? '' : `/${types.join('+')}`}${namespace === undefined ? '' : `=${namespace}`}`
