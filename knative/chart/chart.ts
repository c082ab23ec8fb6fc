/** The Helm charts: hand-written templates, and values and definitions made of the definitions. */

export {
  type AdmissionChart,
  admissionChartFiles,
  admissionCharts,
  type GardenObjects,
  parseAdmissionValues,
} from './admission/admission-charts.ts'
export { admissionDeployment } from './admission/admission-deployment.ts'
export { chartArchive } from './chart-archive.ts'
export { deploymentOfValues } from './deployment-of-values.ts'
export { type ChartFiles, chartFiles, chartName, contentsOf } from './files/chart-files.ts'
export type { ChartValues } from './values/chart-values.ts'
export { mergeValues } from './values/merge-values.ts'
export { parseValues, ValuesError } from './values/parse-values.ts'
