import { valueAt } from '../../../../build/library/trellis.ts'

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const switches: readonly unknown[] = ['FELIX_IPINIPENABLED', 'FELIX_VXLANENABLED']

/** Returns true if a document is the DaemonSet of calico-node with an overlay network. */
export const hasOverlay = (document: unknown): boolean =>
  valueAt(document, 'kind') === 'DaemonSet' &&
  valueAt(document, 'metadata', 'name') === 'calico-node' &&
  listed(valueAt(document, 'spec', 'template', 'spec', 'containers'))
    .flatMap(container => listed(valueAt(container, 'env')))
    .some(variable => switches.includes(valueAt(variable, 'name')) && valueAt(variable, 'value') === 'true')
