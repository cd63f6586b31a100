import { PageBody } from '@/components/ui/page';
import { Skeleton } from '@/components/ui/skeleton';

export default function Loading() {
  return (
    <PageBody>
      <Skeleton label="the page" lines={8} />
    </PageBody>
  );
}
