{{- /* The path at which gardenlet mounts the kubeconfig of the garden. */ -}}
{{- define "trellis.gardenFolder" -}}
/var/run/secrets/gardener.cloud/garden/generic-kubeconfig
{{- end -}}

{{- /* The volume of the path. Argument: the Secret of the kubeconfig. */ -}}
{{- define "trellis.gardenVolume" -}}
name: garden-kubeconfig
projected:
  defaultMode: 420
  sources:
    - secret:
        name: {{ . | quote }}
        items: [{key: kubeconfig, path: kubeconfig}]
    - secret:
        name: garden-access-extension
        items: [{key: token, path: token}]
{{- end -}}
