import type { FieldType, MessageField, MessageType } from './decode-message.ts'

// Field numbers: the generated.proto files of k8s.io/apimachinery and k8s.io/api.

const one = (name: string, type: FieldType = 'string'): MessageField => ({ name, type })
const many = (name: string, type: FieldType = 'string'): MessageField => ({ name, type, repeated: true })
const message = (type: MessageType): FieldType => ({ message: type })

const ownerReference: MessageType = {
  1: one('kind'),
  3: one('name'),
  4: one('uid'),
  5: one('apiVersion'),
  6: one('controller', 'boolean'),
  7: one('blockOwnerDeletion', 'boolean'),
}

const objectMeta: MessageType = {
  1: one('name'),
  2: one('generateName'),
  3: one('namespace'),
  5: one('uid'),
  6: one('resourceVersion'),
  7: one('generation', 'integer'),
  8: one('creationTimestamp', 'time'),
  9: one('deletionTimestamp', 'time'),
  11: one('labels', 'map'),
  12: one('annotations', 'map'),
  13: many('ownerReferences', message(ownerReference)),
  14: many('finalizers'),
}

const metadata = one('metadata', message(objectMeta))

const policyRule: MessageType = {
  1: many('verbs'),
  2: many('apiGroups'),
  3: many('resources'),
  4: many('resourceNames'),
  5: many('nonResourceURLs'),
}

const role: MessageType = { 1: metadata, 2: many('rules', message(policyRule)) }

const roleBinding: MessageType = {
  1: metadata,
  2: many('subjects', message({ 1: one('kind'), 2: one('apiGroup'), 3: one('name'), 4: one('namespace') })),
  3: one('roleRef', message({ 1: one('apiGroup'), 2: one('kind'), 3: one('name') })),
}

const resourceAttributes: MessageType = {
  1: one('namespace'),
  2: one('verb'),
  3: one('group'),
  4: one('version'),
  5: one('resource'),
  6: one('subresource'),
  7: one('name'),
}

/** The messages that clients send in protobuf: kubectl for what its `create` commands make and for its questions. */
export const messages: Readonly<Record<string, MessageType>> = {
  Namespace: {
    1: metadata,
    2: one('spec', message({ 1: many('finalizers') })),
    3: one('status', message({ 1: one('phase') })),
  },
  Secret: {
    1: metadata,
    2: one('data', 'bytes-map'),
    3: one('type'),
    4: one('stringData', 'map'),
    5: one('immutable', 'boolean'),
  },
  ConfigMap: {
    1: metadata,
    2: one('data', 'map'),
    3: one('binaryData', 'bytes-map'),
    4: one('immutable', 'boolean'),
  },
  ServiceAccount: {
    1: metadata,
    2: many('secrets', message({ 1: one('kind'), 2: one('namespace'), 3: one('name') })),
    3: many('imagePullSecrets', message({ 1: one('name') })),
    4: one('automountServiceAccountToken', 'boolean'),
  },
  Lease: {
    1: metadata,
    2: one(
      'spec',
      message({
        1: one('holderIdentity'),
        2: one('leaseDurationSeconds', 'integer'),
        3: one('acquireTime', 'time'),
        4: one('renewTime', 'time'),
        5: one('leaseTransitions', 'integer'),
      }),
    ),
  },
  Role: role,
  ClusterRole: role,
  RoleBinding: roleBinding,
  ClusterRoleBinding: roleBinding,
  DeleteOptions: {
    1: one('gracePeriodSeconds', 'integer'),
    2: one('preconditions', message({ 1: one('uid'), 2: one('resourceVersion') })),
    3: one('orphanDependents', 'boolean'),
    4: one('propagationPolicy'),
    5: many('dryRun'),
  },
  SelfSubjectAccessReview: {
    1: metadata,
    2: one(
      'spec',
      message({
        1: one('resourceAttributes', message(resourceAttributes)),
        2: one('nonResourceAttributes', message({ 1: one('path'), 2: one('verb') })),
      }),
    ),
  },
  SelfSubjectRulesReview: { 1: metadata, 2: one('spec', message({ 1: one('namespace') })) },
  SelfSubjectReview: { 1: metadata },
}
