/** The Helm chart: built from the objects that run Trellis in a seed, under the conditions of its values. */

export {
  type AdmissionChart,
  admissionChartFiles,
  admissionCharts,
  parseAdmissionValues,
} from './admission/admission-charts.ts'
export { admissionDeployment } from './admission/admission-deployment.ts'
export { chartArchive } from './chart-archive.ts'
export { deploymentOfValues } from './deployment-of-values.ts'
export { type ChartFiles, chartFiles, chartName, contentsOf } from './files/chart-files.ts'
export type { ChartValues } from './values/chart-values.ts'
export { parseValues, ValuesError } from './values/parse-values.ts'
