{{- /* The path of the operator's image vector in a pod. */ -}}
{{- define "trellis.imageVectorFile" -}}
/etc/trellis/image-vector/images_overwrite.yaml
{{- end -}}

{{- /* Its name has a hash of its content: a change is a change of the pod, for which Knative starts a new revision. */ -}}
{{- define "trellis.imageVectorName" -}}
image-vector-{{ .Values.imageVectorOverwrite | sha256sum | trunc 8 }}
{{- end -}}

{{- /* Its volume and folder in a pod, as JSON. */ -}}
{{- define "trellis.mountedImageVector" -}}
{{- $volume := dict "name" "image-vector" "configMap" (dict "name" (include "trellis.imageVectorName" .)) -}}
{{- dict "volume" $volume "mountPath" (dir (include "trellis.imageVectorFile" .)) | toJson -}}
{{- end -}}
