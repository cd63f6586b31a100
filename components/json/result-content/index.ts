export { PromptContent, ResourceContent, ResultContent } from './result-content';
