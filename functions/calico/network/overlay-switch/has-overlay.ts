const field = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  )

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const switches: readonly unknown[] = ['FELIX_IPINIPENABLED', 'FELIX_VXLANENABLED']

/** Returns true if a document is the DaemonSet of calico-node with an overlay network. */
export const hasOverlay = (document: unknown): boolean =>
  field(document, 'kind') === 'DaemonSet' &&
  field(document, 'metadata', 'name') === 'calico-node' &&
  listed(field(document, 'spec', 'template', 'spec', 'containers'))
    .flatMap(container => listed(field(container, 'env')))
    .some(variable => switches.includes(field(variable, 'name')) && field(variable, 'value') === 'true')
