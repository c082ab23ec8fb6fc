import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { notFound } from '../../requests/api-error.ts'
import { namespaces } from '../../resources/core-types.ts'
import { matchesSelector } from '../../resources/matches-selector.ts'
import { resourceName } from '../../resources/resource-definition.ts'
import type { JsonRecord } from '../../schema/structural-schema.ts'
import type { Store } from '../../store/store.ts'
import type { AdmissionRequest } from '../admission.ts'
import type { RegisteredWebhook, WebhookRule } from './registered-webhook.ts'

/**
 * Returns true if a webhook is called for a write. Rules are matched against the version of the request, whatever the
 * `matchPolicy`, because nothing is converted here. Throws the client's error if the namespace does not exist.
 */
export const isAsked = (
  { rules, objectSelector, namespaceSelector }: RegisteredWebhook,
  request: AdmissionRequest,
  store: Store,
): boolean =>
  rules.some(rule => fitsRule(rule, request)) &&
  fitsObject(objectSelector, request) &&
  fitsNamespace(namespaceSelector, request, store)

const fitsRule = (
  { groups, versions, resources, operations, scope }: WebhookRule,
  { type, version, namespace, operation, subresource = '' }: AdmissionRequest,
): boolean =>
  hasOrAny(groups, type.group) &&
  hasOrAny(versions, version) &&
  hasOrAny(operations, operation) &&
  (scope === '*' || (scope === 'Namespaced') === (namespace !== undefined)) &&
  resources.some(resource => {
    const [plural, of = ''] = resource.split('/')
    return (plural === '*' || plural === type.plural) && (of === '*' || of === subresource)
  })

const hasOrAny = (given: readonly string[], value: string): boolean =>
  given.includes('*') || given.includes(value)

/** One match is enough, so removing a label hides no object. */
const fitsObject = (selector: JsonRecord, { object, oldObject }: AdmissionRequest): boolean =>
  [object, oldObject].some(one => one !== undefined && matchesSelector(selector, labelsOf(one)))

const fitsNamespace = (
  selector: JsonRecord,
  { type, namespace, object, oldObject }: AdmissionRequest,
  store: Store,
): boolean => {
  if (resourceName(type) === 'namespaces') return matchesSelector(selector, labelsOf(object ?? oldObject))
  if (namespace === undefined || isEmpty(selector)) return true
  const found = store.collection('namespaces').get(namespace)
  if (!found) throw notFound(namespaces, namespace)
  return matchesSelector(selector, labelsOf(found.object))
}

const labelsOf = (object: KubernetesObject | undefined): Readonly<Record<string, string>> =>
  object?.metadata.labels ?? {}

const isEmpty = ({ matchLabels, matchExpressions }: JsonRecord): boolean =>
  Object.keys({ ...Object(matchLabels), ...Object(matchExpressions) }).length === 0
