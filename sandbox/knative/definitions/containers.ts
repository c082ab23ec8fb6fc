import {
  atomic,
  atomicListOf,
  flag,
  int32,
  int64,
  listByKey,
  listOf,
  mapOf,
  maybeEmpty,
  object,
  open,
  port,
  quantity,
  text,
} from './schema-notation.ts'

const keyOf = atomic(object({ key: text, name: maybeEmpty, optional: flag }, ['key']))

const allOf = atomic(object({ name: maybeEmpty, optional: flag }))

const environment = listByKey(
  'name',
  object(
    {
      name: text,
      value: text,
      valueFrom: object({
        configMapKeyRef: keyOf,
        fieldRef: atomic(open()),
        resourceFieldRef: atomic(open()),
        secretKeyRef: keyOf,
      }),
    },
    ['name'],
  ),
)

const probe = object({
  exec: object({ command: atomicListOf(text) }),
  failureThreshold: int32,
  grpc: object({ port: int32, service: maybeEmpty }),
  httpGet: object({
    host: text,
    httpHeaders: atomicListOf(object({ name: text, value: text }, ['name', 'value'])),
    path: text,
    port,
    scheme: text,
  }),
  initialDelaySeconds: int32,
  periodSeconds: int32,
  successThreshold: int32,
  tcpSocket: object({ host: text, port }),
  timeoutSeconds: int32,
})

const securityContext = object({
  allowPrivilegeEscalation: flag,
  capabilities: object({ add: atomicListOf(text), drop: atomicListOf(text) }),
  privileged: flag,
  readOnlyRootFilesystem: flag,
  runAsGroup: int64,
  runAsNonRoot: flag,
  runAsUser: int64,
  seccompProfile: object({ localhostProfile: text, type: text }, ['type']),
})

export const container = object({
  args: atomicListOf(text),
  command: atomicListOf(text),
  env: environment,
  envFrom: atomicListOf(object({ configMapRef: allOf, prefix: text, secretRef: allOf })),
  image: text,
  imagePullPolicy: text,
  livenessProbe: probe,
  name: text,
  ports: listOf(object({ containerPort: int32, name: text, protocol: { type: 'string', default: 'TCP' } })),
  readinessProbe: probe,
  resources: object({ limits: mapOf(quantity), requests: mapOf(quantity) }),
  securityContext,
  startupProbe: probe,
  terminationMessagePath: text,
  terminationMessagePolicy: text,
  volumeMounts: listByKey(
    'mountPath',
    object({ mountPath: text, mountPropagation: text, name: text, readOnly: flag, subPath: text }, [
      'mountPath',
      'name',
    ]),
  ),
  workingDir: text,
})
