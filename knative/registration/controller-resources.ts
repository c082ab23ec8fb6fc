import { type ExtensionClass, extensionClasses } from '../../shared/contract/constants.ts'
import type { FunctionDefinition, FunctionRegistration } from '../../shared/runtime/runtime.ts'

/** An entry of `spec.resources` (docs/contract/registration.md#resources). */
export interface ControllerResource extends Omit<FunctionRegistration, 'autoEnable'> {
  readonly kind: FunctionDefinition['kind']
  readonly type: string
  /** Default: true. */
  readonly primary?: false
  readonly autoEnable?: readonly ExtensionClass[]
  readonly clusterCompatibility?: readonly ExtensionClass[]
  /** The equivalent in releases before `autoEnable`. */
  readonly globallyEnabled?: true
}

/** The reader of the resources: each supports different fields and clusters. `legacy`: releases before `autoEnable`. */
export type ResourcesReader = 'ControllerRegistration' | 'legacy' | 'operator'

/**
 * Returns the kinds and types of functions, sorted. A ControllerRegistration omits those only for gardens, which it
 * cannot express.
 */
export const controllerResources = (
  functions: readonly FunctionDefinition[],
  reader: ResourcesReader,
): readonly ControllerResource[] => {
  const clusters = extensionClasses.filter(name => reader === 'operator' || name !== 'garden')
  return functions
    .filter(({ classes }) => classes.some(name => clusters.includes(name)))
    .flatMap(definition =>
      definition.types.map(type => ({
        kind: definition.kind,
        type,
        ...(definition.secondary !== undefined && { primary: false as const }),
        ...(reader === 'legacy' ? legacyFieldsOf(definition) : fieldsOf(definition, clusters)),
      })),
    )
    .toSorted((a, b) => compare(a.kind, b.kind) || compare(a.type, b.type))
}

const fieldsOf = (
  { kind, classes, registration = {} }: FunctionDefinition,
  clusters: readonly ExtensionClass[],
): Partial<ControllerResource> => ({
  ...(kind === 'Extension' && { clusterCompatibility: clusters.filter(name => classes.includes(name)) }),
  ...registration,
})

const legacyFieldsOf = ({ registration = {} }: FunctionDefinition): Partial<ControllerResource> => {
  const { autoEnable, continuousEndpointUpdate: _, ...rest } = registration
  return { ...rest, ...(autoEnable?.includes('shoot') && { globallyEnabled: true }) }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
