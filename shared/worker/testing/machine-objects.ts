import { machineApiVersion } from '../../contract/constants.ts'
import type { Machine, MachineClass, MachineDeployment, MachineSet } from '../../contract/objects.ts'

export const testNamespace = 'shoot--p--x'

interface Fields<S, T> {
  readonly metadata?: Partial<MachineSet['metadata']>
  readonly spec?: Partial<S>
  readonly status?: T
}

type DeploymentSpec = NonNullable<MachineDeployment['spec']>
type DeploymentStatus = NonNullable<MachineDeployment['status']>
type SetSpec = NonNullable<MachineSet['spec']>

const head = <K extends string>(kind: K, name: string, metadata: Partial<MachineSet['metadata']> = {}) => ({
  apiVersion: machineApiVersion,
  kind,
  metadata: { name, namespace: testNamespace, uid: `uid-of-${name}`, generation: 1, ...metadata },
})

/** A deployment of class `<name>-new`, unless the spec overrides it. */
export const machineDeployment = (
  name: string,
  { metadata, spec, status }: Fields<DeploymentSpec, DeploymentStatus> = {},
): MachineDeployment => ({
  ...head('MachineDeployment', name, metadata),
  spec: { template: { spec: { class: { kind: 'MachineClass', name: `${name}-new` } } }, ...spec },
  ...(status && { status }),
})

/** The head of an object that another one owns. */
const owned = <K extends string>(
  kind: K,
  name: string,
  owner: MachineDeployment | MachineSet,
  labels: Readonly<Record<string, string>>,
  metadata?: Partial<MachineSet['metadata']>,
) =>
  head(kind, name, {
    labels,
    ownerReferences: [
      {
        apiVersion: machineApiVersion,
        kind: owner.kind,
        name: owner.metadata.name,
        uid: owner.metadata.uid ?? '',
        controller: true,
      },
    ],
    ...metadata,
  })

/** A set of a deployment, with the given class and number of machines. */
export const machineSet = (
  name: string,
  of: MachineDeployment,
  className: string,
  replicas = 1,
  { metadata, spec, status }: Fields<SetSpec, NonNullable<MachineSet['status']>> = {},
): MachineSet => ({
  ...owned('MachineSet', name, of, { name: of.metadata.name }, metadata),
  spec: { replicas, template: { spec: { class: { kind: 'MachineClass', name: className } } }, ...spec },
  status: status ?? { replicas },
})

/** A machine of a set. */
export const machine = (
  name: string,
  of: MachineSet,
  { metadata, spec, status }: Fields<NonNullable<Machine['spec']>, NonNullable<Machine['status']>> = {},
): Machine => ({
  ...owned('Machine', name, of, { ...of.metadata.labels }, metadata),
  ...(spec && { spec }),
  ...(status && { status }),
})

export const machineClass = (name: string, fields: Partial<MachineClass> = {}): MachineClass => ({
  ...head('MachineClass', name),
  provider: 'Toy',
  providerSpec: {},
  ...fields,
})
