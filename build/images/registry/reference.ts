/** An image in a registry, or in a layout on this machine. */
export type ImageReference =
  | {
      readonly kind: 'registry'
      readonly host: string
      readonly repository: string
      /** A tag, or a digest. */
      readonly version: string
    }
  | { readonly kind: 'layout'; readonly folder: string; readonly version: string }

/**
 * Parses `<host>/<repository>[:<tag>][@<digest>]`, or `ocidir://<folder>[:<tag>][@<digest>]`. A digest overrides the
 * tag. Returns undefined for an image without a registry.
 */
export const parseReference = (text: string): ImageReference | undefined => {
  const [named = '', digest] = text.split('@', 2)
  const [, withoutTag = named, tag] = /^(.*):([^/:]*)$/.exec(named) ?? []
  const version = digest ?? tag ?? 'latest'
  if (text.startsWith('ocidir://'))
    return { kind: 'layout', folder: withoutTag.slice('ocidir://'.length), version }
  const [host = '', ...path] = withoutTag.split('/')
  if (path.length === 0 || !(host === 'localhost' || /[.:]/.test(host))) return undefined
  return { kind: 'registry', host, repository: path.join('/'), version }
}

/** Returns true if both images are in the same registry. `--plain-http` for one says nothing about any other. */
export const shareRegistry = (one: string, another: string): boolean => {
  const [a, b] = [parseReference(one), parseReference(another)]
  return a?.kind === 'registry' && b?.kind === 'registry' && a.host === b.host
}
