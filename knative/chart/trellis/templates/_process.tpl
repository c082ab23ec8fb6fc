{{- /*
A process that runs permanently: its account with a Role in its namespace, its budget, its Deployment and its autoscaler.

root                the root of the chart
name                the name of the objects
program             the name of the container
image               the program of the image, if it differs
values              replicas, resources, env
lease               the name of its Lease
secrets             true if it stores certificates in Secrets
env                 its own variables by name; those of the values override them
ports               its ports besides metrics
labels, podLabels   added to those of every process
annotations         of the Deployment
type                controller or server, for Gardener's placement of replicas; every replica of a server serves
priorityClassName   empty: that of the cluster
scraped             true if Gardener's Prometheus finds its pods by annotations
readinessPeriod, terminationGrace: in seconds
rules               more rules of its Role
mounted             volumes that are mounted as folders: volume, mountPath
*/ -}}
{{- define "trellis.process" -}}
{{- $namespace := .root.Release.Namespace | quote -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .name | quote }}
  namespace: {{ $namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ .name | quote }}
  namespace: {{ $namespace }}
rules:
  {{- if .secrets }}
  - apiGroups: [""]
    resources: [secrets]
    verbs: [get, list, create, patch, delete]
  {{- end }}
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    resourceNames: [{{ .lease | quote }}]
    verbs: [get, list, watch, update]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [create]
  {{- with .rules }}
{{ toYaml . | indent 2 }}
  {{- end }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ .name | quote }}
  namespace: {{ $namespace }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .name | quote }}
subjects:
  - kind: ServiceAccount
    name: {{ .name | quote }}
    namespace: {{ $namespace }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name | quote }}
  namespace: {{ $namespace }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      app: {{ .name | quote }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name | quote }}
  namespace: {{ $namespace }}
  labels:
    app: {{ .name | quote }}
    high-availability-config.resources.gardener.cloud/type: {{ .type }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    {{ include "trellis.versionAnnotation" .root }}
    {{- with .annotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  replicas: {{ .values.replicas }}
  {{- if eq .type "server" }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  {{- end }}
  selector:
    matchLabels:
      app: {{ .name | quote }}
  template:
    metadata:
      labels:
        app: {{ .name | quote }}
        networking.gardener.cloud/to-dns: allowed
        networking.gardener.cloud/to-runtime-apiserver: allowed
        {{- range list .podLabels .root.Values.podLabels }}
        {{- with . }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- end }}
      {{- if .scraped }}
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "8080"
        prometheus.io/name: trellis-{{ .program }}
      {{- end }}
    spec:
      serviceAccountName: {{ .name | quote }}
      enableServiceLinks: false
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . | quote }}
        {{- end }}
      {{- end }}
      {{- with .priorityClassName }}
      priorityClassName: {{ . | quote }}
      {{- end }}
      terminationGracePeriodSeconds: {{ .terminationGrace }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: {{ .name | quote }}
      containers:
        - name: {{ .program }}
          image: {{ include "trellis.image" (list .root (.image | default .program)) | quote }}
          env:
            {{- include "trellis.env" (list .env .values.env) | trim | nindent 12 }}
          ports:
            {{- with .ports }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            - name: metrics
              containerPort: 8080
          readinessProbe:
            httpGet:
              path: /health/readiness
              port: metrics
            periodSeconds: {{ .readinessPeriod }}
          livenessProbe:
            httpGet:
              path: /health/liveness
              port: metrics
            periodSeconds: 30
            timeoutSeconds: 5
          resources:
            requests:
              cpu: {{ .values.resources.cpu | quote }}
              memory: {{ .values.resources.memory | quote }}
            limits:
              memory: {{ .values.resources.memoryLimit | quote }}
          securityContext:
            {{- include "trellis.securityContext" . | nindent 12 }}
          {{- with .mounted }}
          volumeMounts:
            {{- range . }}
            - name: {{ .volume.name }}
              mountPath: {{ .mountPath }}
              readOnly: true
            {{- end }}
      volumes:
        {{- range . }}
        - {{ toYaml .volume | nindent 10 | trim }}
        {{- end }}
      {{- end }}
{{- if .root.Values.verticalPodAutoscaler.enabled }}
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata:
  name: {{ .name | quote }}
  namespace: {{ $namespace }}
spec:
  targetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ .name | quote }}
  updatePolicy:
    updateMode: InPlaceOrRecreate
  resourcePolicy:
    containerPolicies:
      - containerName: {{ .program }}
        controlledResources: [cpu, memory]
        controlledValues: RequestsOnly
      - containerName: "*"
        mode: "Off"
{{- end }}
{{- end -}}

{{- /* The Service of a component's webhooks. Arguments: the root, the app, the component's name, the component. */ -}}
{{- define "trellis.webhookService" -}}
apiVersion: v1
kind: Service
metadata:
  name: gardener-extension-{{ index . 2 }}
  namespace: {{ (index . 0).Release.Namespace | quote }}
  annotations:
    networking.resources.gardener.cloud/from-world-to-ports: '[{"protocol":"TCP","port":9443}]'
    {{- if (index . 3).inShoots }}
    networking.resources.gardener.cloud/from-all-webhook-targets-allowed-ports: '[{"protocol":"TCP","port":9443}]'
    networking.resources.gardener.cloud/namespace-selectors: '[{"matchLabels":{"gardener.cloud/role":"shoot"}}]'
    networking.resources.gardener.cloud/pod-label-selector-namespace-alias: extensions
    {{- end }}
spec:
  selector:
    app: {{ index . 1 | quote }}
  ports:
    - name: reviews
      port: 443
      targetPort: reviews
      protocol: TCP
{{- end -}}
