//! Where memory comes from: small blocks from mimalloc, large ones straight from the kernel.
//!
//! A search grows a few arrays to the size of its budget. A large block that grows in place, or is moved by changing
//! page tables, is never there twice, and what is given back is gone at once: so the budget is what the process grows by.

#![allow(unsafe_code)] // an allocator is

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};

/// From here on a block is pages of its own.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 19;
/// From here on the pages are large too, if the system has such pages.
#[cfg(target_os = "linux")]
const HUGE: usize = 8 << 20;
/// How large those are, and where they begin.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;
#[cfg(target_os = "linux")]
const PAGE: usize = 4096;

#[cfg(target_os = "linux")]
extern "C" {
    /// Gives the pages of freed blocks back to the system. An array that outgrows the small blocks leaves some behind.
    fn mi_collect(force: bool);
}

/// The allocator of this module.
pub struct Blocks;

#[cfg(target_os = "linux")]
mod pages {
    use super::{Layout, HUGE, HUGE_PAGE, LARGE, PAGE};

    /// Whether a block of this layout is pages of its own: the layout alone tells, when it is given back too.
    #[inline]
    pub fn has(layout: &Layout) -> bool {
        layout.size() >= LARGE && layout.align() <= PAGE
    }

    /// New pages, all zero; null if there are none.
    pub fn take(size: usize) -> *mut u8 {
        let block = if size < HUGE { map(size) } else { map_for_huge(size) };
        block.unwrap_or_default().cast()
    }

    fn map(size: usize) -> Option<*mut libc::c_void> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: a new mapping anywhere touches nothing that is there
        let pages = unsafe { libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0) };
        (pages != libc::MAP_FAILED).then_some(pages)
    }

    /// Pages that begin where a large page can, with the wish for large ones: for blocks so large that a page used in
    /// part is little beside the rest.
    fn map_for_huge(size: usize) -> Option<*mut libc::c_void> {
        let size = size.next_multiple_of(PAGE);
        let whole = map(size + HUGE_PAGE)?.cast::<u8>();
        let before = whole.align_offset(HUGE_PAGE);
        // SAFETY: what is given back is the mapping's two ends; the middle is ours, and the hint is about it
        unsafe {
            let block = whole.add(before);
            if before > 0 {
                libc::munmap(whole.cast(), before);
            }
            if before < HUGE_PAGE {
                libc::munmap(block.add(size).cast(), HUGE_PAGE - before);
            }
            libc::madvise(block.cast(), size, libc::MADV_HUGEPAGE);
            Some(block.cast())
        }
    }

    /// Gives pages back.
    ///
    /// # Safety
    /// They are a whole block from here of this size, and nobody uses them any more.
    pub unsafe fn give_back(block: *mut u8, size: usize) {
        // SAFETY: the caller's word
        unsafe { libc::munmap(block.cast(), size) };
    }

    /// The same bytes in a block of another size, moved by the kernel if they must be; null if there is no room.
    ///
    /// # Safety
    /// As for `give_back`; the old block is gone unless the answer is null.
    pub unsafe fn resize(block: *mut u8, old: usize, new: usize) -> *mut u8 {
        let how = if new < HUGE { libc::MREMAP_MAYMOVE } else { 0 };
        // SAFETY: the caller's word
        let resized = unsafe { libc::mremap(block.cast(), old, new, how) };
        if resized != libc::MAP_FAILED || new < HUGE {
            return if resized == libc::MAP_FAILED { std::ptr::null_mut() } else { resized.cast() };
        }
        let Some(place) = map_for_huge(new) else { return std::ptr::null_mut() };
        let how = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: the caller's word; the new place is a mapping that is ours and that nobody uses yet
        unsafe {
            let moved = libc::mremap(block.cast(), old, new, how, place);
            if moved == libc::MAP_FAILED {
                libc::munmap(place, new);
                return std::ptr::null_mut();
            }
            libc::madvise(moved, new, libc::MADV_HUGEPAGE);
            moved.cast()
        }
    }
}

// SAFETY: each block goes back to where its layout says that it came from; both sources keep the contract
unsafe impl GlobalAlloc for Blocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if pages::has(&layout) {
            return pages::take(layout.size());
        }
        // SAFETY: the caller's word
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        #[cfg(target_os = "linux")]
        if pages::has(&layout) {
            return pages::take(layout.size());
        }
        // SAFETY: the caller's word
        unsafe { MiMalloc.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        #[cfg(target_os = "linux")]
        if pages::has(&layout) {
            // SAFETY: a block of this layout came from there
            return unsafe { pages::give_back(block, layout.size()) };
        }
        // SAFETY: the caller's word
        unsafe { MiMalloc.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that this size is fine for this alignment
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        #[cfg(target_os = "linux")]
        match (pages::has(&layout), pages::has(&wanted)) {
            // SAFETY: both are blocks of pages
            (true, true) => return unsafe { pages::resize(block, layout.size(), size) },
            (false, false) => {}
            _ => {
                // SAFETY: from one source to the other: a new block, as many bytes as both have, the old one back
                unsafe {
                    let new = self.alloc(wanted);
                    if !new.is_null() {
                        std::ptr::copy_nonoverlapping(block, new, layout.size().min(size));
                        self.dealloc(block, layout);
                        mi_collect(true);
                    }
                    return new;
                }
            }
        }
        let _ = wanted;
        // SAFETY: the caller's word
        unsafe { MiMalloc.realloc(block, layout, size) }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Sizes on both sides of every border, up and down.
    const SIZES: [usize; 12] = [
        100, 500_000, 600_000, 8_000_000, 9_000_000, 40_000_001, 33_554_432, 9_000_000, 700_000,
        1_000, 20_000_000, 1,
    ];

    #[test]
    fn a_block_keeps_its_bytes_whatever_its_size_becomes() {
        let mut layout = Layout::from_size_align(64, 16).unwrap();
        // SAFETY: blocks are used within their sizes, and given back once with their layouts
        unsafe {
            let mut block = Blocks.alloc(layout);
            (0..64).for_each(|at| *block.add(at) = at as u8);
            for size in SIZES {
                block = Blocks.realloc(block, layout, size);
                assert!(!block.is_null());
                assert!((0..layout.size().min(size).min(64)).all(|at| *block.add(at) == at as u8));
                layout = Layout::from_size_align(size, 16).unwrap();
                (0..64.min(size)).for_each(|at| *block.add(at) = at as u8);
                *block.add(size - 1) = if size <= 64 { (size - 1) as u8 } else { 255 };
            }
            Blocks.dealloc(block, layout);
        }
    }

    #[test]
    fn new_blocks_are_zero_if_they_are_to_be() {
        for size in SIZES {
            let layout = Layout::from_size_align(size, 64).unwrap();
            // SAFETY: as above
            unsafe {
                let block = Blocks.alloc_zeroed(layout);
                assert_eq!(block.align_offset(64), 0);
                assert!((0..size).step_by(997).all(|at| *block.add(at) == 0));
                Blocks.dealloc(block, layout);
            }
        }
        let impossible = Layout::from_size_align(1 << 60, 16).unwrap();
        // SAFETY: nothing comes back
        assert!(unsafe { Blocks.alloc(impossible) }.is_null());
    }
}
