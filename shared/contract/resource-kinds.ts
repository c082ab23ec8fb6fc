import { apiKind } from './api-kind.ts'
import { resourceGroup } from './constants.ts'
import { age, column } from './printer-columns.ts'
import { managedResourceSchema } from './schemas/managed-resource.ts'

const conditionColumn = (name: string, type: string, description: string) =>
  column(name, `.status.conditions[?(@.type=="${type}")].status`, description)

/**
 * The objects that a resource manager applies. No backend of Gardener reconciles them, so the kind is not among
 * `kinds`.
 */
export const managedResourceKind = apiKind(resourceGroup, 'ManagedResource', {
  schema: managedResourceSchema,
  plural: 'managedresources',
  shortNames: ['mr'],
  printerColumns: [
    column('Class', '.spec.class', 'which resource manager'),
    conditionColumn('Applied', 'ResourcesApplied', 'whether all objects have been applied'),
    conditionColumn('Healthy', 'ResourcesHealthy', 'whether all objects are healthy'),
    conditionColumn('Progressing', 'ResourcesProgressing', 'whether objects are being rolled out'),
    age,
  ],
})
