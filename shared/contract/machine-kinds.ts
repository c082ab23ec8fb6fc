import type * as z from 'zod'
import { apiKind } from './api-kind.ts'
import { machineGroup } from './constants.ts'
import { age, column, countColumn } from './printer-columns.ts'
import { machineSchema } from './schemas/machine.ts'
import { machineClassSchema } from './schemas/machine-class.ts'
import { machineDeploymentSchema } from './schemas/machine-deployment.ts'
import { machineSetSchema } from './schemas/machine-set.ts'

/**
 * The kinds of the machine-controller-manager, which a Worker creates. No backend of Gardener reconciles them, so they
 * are not among `kinds`.
 */
export const machineKinds = {
  MachineClass: apiKind(machineGroup, 'MachineClass', {
    schema: machineClassSchema,
    plural: 'machineclasses',
    shortNames: ['mcc'],
    printerColumns: [],
  }),
  MachineDeployment: apiKind(machineGroup, 'MachineDeployment', {
    schema: machineDeploymentSchema,
    shortNames: ['mcd'],
    printerColumns: [
      countColumn('Ready', '.status.readyReplicas', 'machines that are ready'),
      countColumn('Desired', '.spec.replicas', 'desired number of machines'),
      countColumn('Up-to-date', '.status.updatedReplicas', 'machines of the current class'),
      countColumn(
        'Available',
        '.status.availableReplicas',
        'machines that have been ready for minReadySeconds',
      ),
      age,
    ],
  }),
  MachineSet: apiKind(machineGroup, 'MachineSet', {
    schema: machineSetSchema,
    shortNames: ['mcs'],
    printerColumns: [
      countColumn('Desired', '.spec.replicas', 'desired number of machines'),
      countColumn('Current', '.status.replicas', 'current number of machines'),
      countColumn('Ready', '.status.readyReplicas', 'machines that are ready'),
      age,
    ],
  }),
  Machine: apiKind(machineGroup, 'Machine', {
    schema: machineSchema,
    shortNames: ['mc'],
    printerColumns: [
      column('Status', '.status.currentStatus.phase', 'phase of the machine'),
      age,
      column('Node', '.metadata.labels.node', 'node of the machine'),
      { ...column('ProviderID', '.spec.providerID', 'id of the machine at the cloud'), priority: 1 },
    ],
  }),
}
export type MachineKindName = keyof typeof machineKinds

/** The object type of a kind: `MachineObjectOf<'MachineSet'>` is `MachineSet`. */
export type MachineObjectOf<K extends MachineKindName> = z.infer<(typeof machineKinds)[K]['schema']>
