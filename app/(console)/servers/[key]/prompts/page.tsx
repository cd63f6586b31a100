import { PromptBrowser } from '@/components/servers/prompt-browser';
import { getPrompt } from '../../actions';
import { requireServerPage, type ServerPageProps } from '../require-server-page';

export default async function PromptsPage({ params }: ServerPageProps) {
  const { runtime, record, rights } = await requireServerPage(params);
  const prompts = runtime.pool.snapshot(record.entry.key)?.prompts ?? [];
  return <PromptBrowser serverKey={record.entry.key} prompts={prompts} mayGet={rights.call} getPrompt={getPrompt} />;
}
