'use client';

import { Component, type ReactNode } from 'react';

interface FormBoundaryProps {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** A schema that the form library cannot draw after all leaves the raw JSON standing. */
export class FormBoundary extends Component<FormBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
