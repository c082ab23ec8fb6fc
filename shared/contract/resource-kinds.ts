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
  shortNames: ['mr'],
  printerColumns: [
    column('Class', '.spec.class', 'class of the resource manager'),
    conditionColumn('Applied', 'ResourcesApplied', 'true if all objects have been applied'),
    conditionColumn('Healthy', 'ResourcesHealthy', 'true if all objects are healthy'),
    conditionColumn('Progressing', 'ResourcesProgressing', 'true if objects are being rolled out'),
    age,
  ],
})
