{{- /* Made by make manifests. */ -}}

{{- /* What is installed: "function <name>" and "webhooks <component>". Nothing at all is a slip. */ -}}
{{- define "trellis.on" -}}
{{- $on := list -}}
{{- range $name, $function := .Values.functions -}}
{{- if $function.enabled }}{{ $on = append $on (printf "function %s" $name) }}{{ end -}}
{{- end -}}
{{- if not $on -}}
{{- fail "no function is enabled: set functions.<name>.enabled to true for those that this release serves" -}}
{{- end -}}
{{- range $name, $component := .Values.webhook.components -}}
{{- if $component.enabled }}{{ $on = append $on (printf "webhooks %s" $name) }}{{ end -}}
{{- end -}}
{{- toJson $on -}}
{{- end -}}

{{- define "trellis.seed" -}}
{{- $gardener := .Values.gardener -}}
{{- $garden := ternary "garden" "" (hasKey (get $gardener "runtimeCluster" | default dict) "enabled") -}}
{{- .Values.seed
  | default (dig "seed" "name" "" $gardener)
  | default (dig "shoot" "name" "" $gardener)
  | default $garden
  | required "seed: set the name of the seed, which no other seed has: --set seed=<name>" -}}
{{- end -}}

{{- define "trellis.image" -}}
{{- $program := index . 1 -}}
{{- with index . 0 -}}
{{- if get .Values.images $program -}}
{{- get .Values.images $program -}}
{{- else -}}
{{- $registry := .Values.image.registry
  | required (printf "image.registry: set the registry of the images, or the image in images.%s: --set image.registry=registry.example.com/trellis" $program) -}}
{{- printf "%s/%s:%s" $registry $program (.Values.image.tag | default .Chart.Version) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "trellis.pullSecrets" -}}
{{- range .Values.image.pullSecrets }}
- name: {{ . | quote }}
{{- end -}}
{{- end -}}

{{- define "trellis.extensions" -}}
{{- .Values.extensions | default (list .Release.Name) | join "," -}}
{{- end -}}

{{- define "trellis.priorityClassName" -}}
{{- dig "runtimeCluster" "priorityClassName" .Values.priorityClassName .Values.gardener -}}
{{- end -}}

{{- /* The Secret that gardenlet makes, where the ControllerDeployment asks for it. */ -}}
{{- define "trellis.gardenKubeconfig" -}}
{{- dig "garden" "genericKubeconfigSecretName" "" .Values.gardener -}}
{{- end -}}

{{- define "trellis.env" -}}
{{- range $name, $value := . }}
- name: {{ $name | quote }}
  value: {{ $value | quote }}
{{- end -}}
{{- end -}}

{{- /* Peers of network policies. */ -}}
{{- define "trellis.peers" -}}
{{- range . }}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: {{ .namespace | quote }}
{{- with .labels }}
  podSelector:
    matchLabels:
{{ toYaml . | indent 6 }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "trellis.yaml" -}}
{{- if . }}{{ toYaml . }}{{ end -}}
{{- end -}}


{{- /* Class, config and channel of the profile, as JSON. */ -}}
{{- define "trellis.brokerProfile" -}}
{{- if and .Values.broker.profile .Values.broker.class -}}
{{- fail "broker.class: a profile sets the class: remove class or profile" -}}
{{- end -}}
{{- if eq .Values.broker.profile "in-memory" -}}
{"class":"MTChannelBasedBroker","config":{"apiVersion":"v1","kind":"ConfigMap","name":"broker-channel","namespace":"{{ .Release.Namespace }}"},"channel":"apiVersion: messaging.knative.dev/v1\nkind: InMemoryChannel\n"}
{{- else if eq .Values.broker.profile "kafka" -}}
{"class":"Kafka","config":{"apiVersion":"v1","kind":"ConfigMap","name":"kafka-broker-config","namespace":"knative-eventing"}}
{{- else if eq .Values.broker.profile "rabbitmq" -}}
{"class":"RabbitMQBroker","config":{"apiVersion":"eventing.knative.dev/v1alpha1","kind":"RabbitmqBrokerConfig","name":"broker","namespace":"{{ .Release.Namespace }}"}}
{{- else if eq .Values.broker.profile "nats" -}}
{"class":"MTChannelBasedBroker","config":{"apiVersion":"v1","kind":"ConfigMap","name":"broker-channel","namespace":"{{ .Release.Namespace }}"},"channel":"apiVersion: messaging.knative.dev/v1alpha1\nkind: NatsJetStreamChannel\nspec:\n  stream:\n    config:\n      maxAge: 15m\n      duplicateWindow: 1s\n"}
{{- else -}}
{}
{{- end -}}
{{- end -}}

{{- define "trellis.brokerClass" -}}
{{- get (include "trellis.brokerProfile" . | fromJson) "class" | default .Values.broker.class -}}
{{- end -}}

{{- define "trellis.brokerConfig" -}}
{{- with .Values.broker.config | default (get (include "trellis.brokerProfile" . | fromJson) "config") }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{- define "trellis.brokerChannel" -}}
{{- get (include "trellis.brokerProfile" . | fromJson) "channel" -}}
{{- end -}}

{{- /* What the class asks of a Trigger: of the places of a pod of its function, and of how many pods there may be. */ -}}
{{- define "trellis.triggerAnnotations" -}}
{{- $places := mul (index . 1) (index . 2) -}}
{{- with index . 0 -}}
{{- if eq .Values.broker.profile "rabbitmq" -}}
rabbitmq.eventing.knative.dev/parallelism: {{ min 100 (max 1 $places) | quote }}
{{- else if eq .Values.broker.profile "kafka" -}}
kafka.eventing.knative.dev/delivery.order: "unordered"
{{- end -}}
{{- end -}}
{{- end -}}


{{- define "trellis.compact.maxScale" -}}
{{- $least := 0 -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if and .enabled (or (eq $least 0) (lt (int .maxScale) $least)) }}{{ $least = int .maxScale }}{{ end -}}
{{- end -}}
{{- end -}}
{{- $least -}}
{{- end -}}

{{- /* 0: no bound. */ -}}
{{- define "trellis.compact.concurrency" -}}
{{- $sum := 0 -}}
{{- $bound := true -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if .enabled -}}
{{- $sum = add $sum .concurrency -}}
{{- if eq (int .concurrency) 0 }}{{ $bound = false }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- ternary (min $sum 1000) 0 $bound -}}
{{- end -}}

{{- define "trellis.compact.gardenAccess" -}}
{{- if include "trellis.gardenKubeconfig" (index . 0) -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if and .enabled .gardenAccess }}true{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* What single functions are given, as JSON: they share it, so that two may not be given different values. */ -}}
{{- define "trellis.compact.env" -}}
{{- $env := dict -}}
{{- range $name := index . 1 -}}
{{- with index (index $ 0).Values.functions $name -}}
{{- if .enabled -}}
{{- range $variable, $value := .env -}}
{{- if and (hasKey $env $variable) (ne (get $env $variable) $value) -}}
{{- fail (printf "functions.%s.env.%s: another function of its process has another value; with compact they share it" $name $variable) -}}
{{- end -}}
{{- $_ := set $env $variable $value -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- merge $env (index . 0).Values.functionEnv | toJson -}}
{{- end -}}
